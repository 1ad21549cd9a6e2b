# Fits the designs of rasch_designs.py with eRm, texts as persons and raters as items; prints what erm.json keeps.
library(eRm)
library(jsonlite)
folder <- commandArgs(TRUE)[1]
rater <- function(names) sub("(\\.c[0-9]+)?$", "", sub("^(beta )?value\\.", "", names))
severity <- function(model) {
  # The parameters are easiness; a rater's severity is the mean difficulty of the steps from point to point.
  steps <- -model$betapar
  first <- rater(names(steps))
  total <- tapply(steps, first, function(one) one[length(one)] / length(one))
  as.list(total)
}
found <- list()
for (file in sort(list.files(folder, "\\.csv$"))) {
  ratings <- read.csv(file.path(folder, file))[, c("item", "rater", "value")]
  wide <- reshape(ratings, idvar = "item", timevar = "rater", direction = "wide")
  answers <- as.matrix(wide[, -1]) - min(ratings$value)
  models <- if (max(answers, na.rm = TRUE) > 1) list(rating_scale = RSM(answers), partial_credit = PCM(answers))
  else list(rasch = RM(answers))
  found[[sub("\\.csv$", "", file)]] <- lapply(models, function(model) list(
    severity = severity(model), log_likelihood = model$loglik, converged = model$convergence < 3,
    parameters = model$npar
  ))
}
cat(toJSON(found, digits = 9, auto_unbox = TRUE, pretty = TRUE))
