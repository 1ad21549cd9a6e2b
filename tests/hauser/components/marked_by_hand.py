"""Invented sentences with their topics and vehicles, for training in seconds."""

from __future__ import annotations

from scoring.hauser.components.trained.examples import Mark

_CHINESE = """
山谷里的雾像刚煮好的米汤。 | 雾 | 刚煮好的米汤
奶奶的手像干裂的树皮一样粗糙。 | 奶奶的手 | 干裂的树皮
清晨的巷子仿佛一条睡着的蛇。 | 巷子 | 一条睡着的蛇
他的话如同石子落进井里。 | 他的话 | 石子
窗外的雪像棉絮，慢慢盖住屋顶。 | 雪 | 棉絮
那封信宛如一只迟到的鸟。 | 信 | 一只迟到的鸟
她的笑声好像风铃一样清脆。 | 笑声 | 风铃
老屋的门像一张没牙的嘴。 | 门 | 一张没牙的嘴
月光像牛奶一样流进院子。 | 月光 | 牛奶
他的记忆犹如漏水的木桶。 | 记忆 | 漏水的木桶
夏天的蝉声像一把生锈的锯子。 | 蝉声 | 一把生锈的锯子
弟弟的脚步仿佛小鼓，敲个不停。 | 脚步 | 小鼓
河面像一匹发亮的绸布。 | 河面 | 一匹发亮的绸布
母亲的目光如同冬天的炉火。 | 目光 | 冬天的炉火
码头的灯像困倦的眼睛一样眨着。 | 灯 | 困倦的眼睛
这座城好像一台停不下来的机器。 | 城 | 一台停不下来的机器
"""
_ENGLISH = """
The old kettle hummed like a sleepy choir. | The old kettle | a sleepy choir
Her letters were as thin as onion skin. | Her letters | onion skin
The lighthouse blinked like a tired eye. | The lighthouse | a tired eye
My uncle snored like a rusty gate. | My uncle | a rusty gate
"""


def _marks(lines: str) -> list[Mark]:
    marks = []
    for number, line in enumerate(lines.strip().splitlines(), start=2):
        sentence, topic, vehicle = (cell.strip() for cell in line.split("|"))
        marks.append(Mark(sentence, topic, vehicle, row=number))
    return marks


CHINESE, ENGLISH = _marks(_CHINESE), _marks(_ENGLISH)
