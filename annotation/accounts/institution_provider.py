"""The OpenID Connect provider of the settings, more strictly than allauth asks it.

The ID token must be signed by a key of the provider, come from the issuer that is set, and answer this very
request (nonce); the user information must be about the same subject.
"""

from __future__ import annotations

from typing import Any

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import Http404, HttpRequest
from django.urls import reverse

from annotation.domain.people.institution import Identity, read_identity
from config.settings.institution import Institution

NEEDED = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
# Never a shared secret, and never none.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
CLOCKS_DIFFER_SECONDS = 60


class InstitutionClient(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Speaks with the provider."""

    @property
    def openid_config(self) -> dict[str, Any]:
        config: Any = super().openid_config
        if not isinstance(config, dict) or any(not isinstance(config.get(name), str) for name in NEEDED):
            raise OAuth2Error("The discovery document lacks an address.")
        if config["issuer"].rstrip("/") != institution_set_up().issuer:
            raise OAuth2Error("The discovery document is that of another issuer.")
        return config

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        """Read the person from the ID token and the provider's user information, if it has any."""
        claims = self._verified(kwargs["response"].get("id_token"), app.client_id)
        if "userinfo_endpoint" in self.openid_config:
            more = self._fetch_user_info(token.token)
            if more.get("sub") != claims["sub"]:
                raise OAuth2Error("The user information is about another person.")
            claims = {**more, **claims}
        login = self.get_provider().sociallogin_from_response(request, claims)
        login.identity, login.nonce = _identity(claims), claims.get("nonce")
        return login

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:  # noqa: ARG002
        return request.build_absolute_uri(reverse("account_institution_callback"))

    def _verified(self, id_token: object, client_id: str) -> dict[str, Any]:
        if not isinstance(id_token, str):
            raise OAuth2Error("The provider sent no ID token.")
        with get_adapter().get_requests_session() as session:
            answer = session.get(self.openid_config["jwks_uri"])
            answer.raise_for_status()
        try:
            claims: dict[str, Any] = jwt.decode(
                id_token,
                _key(answer.json(), jwt.get_unverified_header(id_token).get("kid")),
                algorithms=ALGORITHMS,
                audience=client_id,
                issuer=self.openid_config["issuer"],
                leeway=CLOCKS_DIFFER_SECONDS,
                options={"require": ["iss", "aud", "sub", "exp", "iat"]},
            )
        except jwt.PyJWTError as problem:
            raise OAuth2Error(f"The ID token is not valid: {type(problem).__name__}.") from problem
        return claims


class InstitutionProvider(OpenIDConnectProvider):  # type: ignore[misc]
    """The provider that the settings name."""

    oauth2_adapter_class = InstitutionClient

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Store none of the provider's data about a person except the subject."""
        return {}


def institution_set_up() -> Institution:
    """The provider of the settings; 404 if none is set up."""
    found: Institution | None = settings.INSTITUTION
    if found is None:
        raise Http404("Sign-in with an institution is not set up.")
    return found


def provider_of(request: HttpRequest) -> InstitutionProvider:
    """The provider, for one request."""
    institution = institution_set_up()
    app = SocialApp(
        provider=InstitutionProvider.id,
        provider_id=institution.issuer,
        name=institution.issuer,
        client_id=institution.client_id,
        secret=institution.client_secret,
        settings={
            "server_url": institution.issuer,
            "scope": list(institution.scopes),
            "oauth_pkce_enabled": True,
        },
    )
    return InstitutionProvider(request, app=app)


def _key(found: dict[str, Any], kid: str | None) -> jwt.PyJWK:
    """The key that a token names, or the only key if it names none."""
    keys = [key for key in jwt.PyJWKSet.from_dict(found).keys if key.public_key_use in (None, "sig")]
    named = [key for key in keys if key.key_id == kid] if kid else keys
    if len(named) != 1:
        raise jwt.InvalidKeyError("no such key")
    return named[0]


def _identity(claims: dict[str, Any]) -> Identity:
    institution = institution_set_up()
    return read_identity(
        claims,
        issuer=institution.issuer,
        verified_claim=institution.verified_claim,
        role_claim=institution.role_claim,
    )
