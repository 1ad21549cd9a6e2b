# Fits the designs of designs.py with lme4::lmer; prints what lme4.json keeps.
library(lme4)
library(jsonlite)
folder <- commandArgs(TRUE)[1]
several <- function(ratings, name) name %in% names(ratings) && length(unique(ratings[[name]])) > 1
found <- list()
fitted <- function(ratings) {
  parts <- c("item", "rater")
  if (several(ratings, "criterion")) parts <- c(parts, "criterion", "item:rater", "item:criterion", "rater:criterion")
  if (several(ratings, "group")) parts <- c(parts, "group", "group:rater")
  if (several(ratings, "group") && several(ratings, "criterion")) parts <- c(parts, "group:criterion")
  model <- lmer(reformulate(sprintf("(1 | %s)", parts), "value"), data = ratings, REML = TRUE,
    control = lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5)))
  variances <- as.data.frame(VarCorr(model))
  names <- sub("Residual", "residual", variances$grp)
  # lme4 turns some interactions round.
  names <- sub("rater:item", "item:rater", sub("criterion:item", "item:criterion", names))
  names <- sub("criterion:rater", "rater:criterion", sub("rater:group", "group:rater", names))
  names <- sub("criterion:group", "group:criterion", names)
  list(log_likelihood = as.numeric(logLik(model)), variances = setNames(as.list(variances$vcov), names))
}
for (file in sort(list.files(folder, "\\.csv$"))) {
  ratings <- read.csv(file.path(folder, file), stringsAsFactors = TRUE)
  warned <- NULL
  one <- tryCatch(
    withCallingHandlers(fitted(ratings), warning = function(w) {
      warned <<- conditionMessage(w)
      invokeRestart("muffleWarning")
    }),
    error = function(e) list(refused = conditionMessage(e)))
  if (!is.null(warned)) one$warning <- warned
  found[[sub("\\.csv$", "", file)]] <- one
}
cat(toJSON(found, digits = 10, auto_unbox = TRUE, pretty = TRUE))
