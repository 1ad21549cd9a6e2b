# A client of the API, with the package httr2: source("groundwork.R").
library(httr2)

groundwork <- function(address, token) {
  address <- sub("/+$", "", address)
  list(address = address, api = paste0(address, "/api/v1"), token = token)
}

# Sends a request to a path of the API, or to a whole address of the installation. A refusal is an error with its message.
gw_call <- function(gw, method, path, body = NULL, file = NULL, query = list()) {
  address <- if (startsWith(path, gw$api)) path else paste0(gw$api, path)
  asked <- request(address) |>
    req_method(method) |>
    req_headers(Authorization = paste("Token", gw$token), Accept = "application/json") |>
    req_error(body = function(resp) resp_body_json(resp)$message)
  if (!is.null(body)) asked <- req_body_json(asked, body)
  if (!is.null(file)) asked <- req_body_multipart(asked, file = curl::form_file(file, type = "text/csv"))
  if (length(query)) asked <- req_url_query(asked, !!!query)
  answer <- req_perform(asked)
  if (startsWith(resp_content_type(answer), "application/json")) resp_body_json(answer) else resp_body_string(answer)
}

# Waits for a job, or for a file that was sent.
gw_wait <- function(gw, started) {
  while (isTRUE(started$state %in% c("queued", "running"))) {
    Sys.sleep(1)
    started <- gw_call(gw, "GET", started$url)
  }
  if (isTRUE(started$state %in% c("failed", "cancelled"))) stop(started$error, " (", started$error_code, ")")
  started
}

gw_create_study <- function(gw, slug, definition) {
  gw_call(gw, "POST", "/study-definitions/", list(slug = slug, definition = definition))$slug
}

# `items` has the column `item` and the fields that the form shows.
gw_add_items <- function(gw, slug, items) {
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  write.csv(items, file, row.names = FALSE, fileEncoding = "UTF-8", na = "")
  gw_wait(gw, gw_call(gw, "POST", paste0("/studies/", slug, "/items/"), file = file))
}

# `state` is open, paused or closed.
gw_set_state <- function(gw, slug, state) {
  gw_call(gw, "POST", paste0("/studies/", slug, "/state/"), list(state = state))$state
}

gw_invite <- function(gw, slug, label = "everybody") {
  made <- gw_call(gw, "POST", paste0("/studies/", slug, "/invitations/"), list(label = label))
  paste0(gw$address, "/join/", made$token, "/")
}

# A table of Export, such as ratings, tuples, scores or raters.
gw_export <- function(gw, slug, what) {
  path <- paste0("/studies/", slug, "/exports/")
  read.csv(text = gw_call(gw, "GET", path, query = list(what = what, format = "csv")), na.strings = "")
}

# Ratings; with `counting`, only current ones that came in time and are not excluded.
gw_ratings <- function(gw, slug, counting = TRUE) {
  ratings <- gw_export(gw, slug, "ratings")
  flags <- c("current", "late", "excluded")
  ratings[flags] <- lapply(ratings[flags], as.logical)
  if (counting) subset(ratings, current & !late & !excluded) else ratings
}

# Computes reliability, waits for it, and returns its statistics, one row each.
gw_reliability <- function(gw, slug, ...) {
  settings <- list(...)
  body <- if (length(settings)) settings else setNames(list(), character(0))
  ended <- gw_wait(gw, gw_call(gw, "POST", paste0("/studies/", slug, "/reports/"), body))
  results <- gw_call(gw, "GET", ended$report_url)$results
  do.call(rbind, lapply(results, function(one) as.data.frame(lapply(one, function(value) if (is.null(value)) NA else value))))
}
