# Fits the designs of designs.py with ordinal::clmm; prints what clmm.json keeps.
library(ordinal)
library(jsonlite)
folder <- commandArgs(TRUE)[1]
found <- list()
fitted <- function(ratings) {
  parts <- c("(1 | item)", "(1 | rater)")
  if ("group" %in% names(ratings)) parts <- c(parts, "(1 | group)")
  if (nlevels(ratings$system) > 1) parts <- c("system", parts)
  model <- clmm(reformulate(parts, "value"), data = ratings, control = clmm.control(gradTol = 1e-6))
  table <- summary(model)$coefficients
  list(
    log_likelihood = as.numeric(logLik(model)),
    estimates = unname(table[, 1]), errors = unname(table[, 2]),
    deviations = lapply(VarCorr(model), function(one) sqrt(one[1, 1])),
    raters = setNames(as.list(ranef(model)$rater[, 1]), rownames(ranef(model)$rater))
  )
}
for (file in sort(list.files(folder, "\\.csv$"))) {
  ratings <- read.csv(file.path(folder, file), stringsAsFactors = TRUE)
  ratings$value <- factor(ratings$value)
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
cat(toJSON(found, digits = 9, auto_unbox = TRUE, pretty = TRUE))
