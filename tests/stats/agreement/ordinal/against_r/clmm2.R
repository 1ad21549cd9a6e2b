# Fits the designs of rasch_designs.py with thresholds for each rater by ordinal::clmm2, and with raters as
# fixed effects by ordinal::clmm; prints what clmm2.json keeps.
library(ordinal)
library(jsonlite)
folder <- commandArgs(TRUE)[1]
found <- list()
designs <- commandArgs(TRUE)[-1]
if (!length(designs)) designs <- c("complete", "incomplete", "systems", "seven points")
for (name in designs) {
  ratings <- read.csv(file.path(folder, paste0(name, ".csv")), stringsAsFactors = TRUE)
  ratings$value <- factor(ratings$value)
  of_systems <- nlevels(ratings$system) > 1
  location <- if (of_systems) value ~ system else value ~ 1
  own <- clmm2(location, nominal = ~ rater, random = item, data = ratings, Hess = TRUE, nAGQ = 1)
  fixed <- if (of_systems) value ~ system + rater + (1 | item) else value ~ rater + (1 | item)
  shared <- clmm(fixed, data = ratings)
  cuts <- nlevels(ratings$value) - 1
  alpha <- matrix(own$Alpha, ncol = cuts)
  if (nrow(alpha) != nlevels(ratings$rater)) stop("thresholds of another shape than expected")
  alpha[-1, ] <- sweep(alpha[-1, , drop = FALSE], 2, alpha[1, ], "+")
  errors <- sqrt(diag(solve(own$Hessian)))
  found[[name]] <- list(
    log_likelihood = as.numeric(own$logLik), shared_log_likelihood = as.numeric(logLik(shared)),
    thresholds = alpha, first_errors = unname(errors[seq_len(cuts)]),
    effects = as.numeric(own$beta), deviation = as.numeric(own$stDev)
  )
}
cat(toJSON(found, digits = 9, auto_unbox = TRUE, pretty = TRUE))
