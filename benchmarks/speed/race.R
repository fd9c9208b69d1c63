# What R runs of the races. It reads commands, one a line, and answers each with one line:
#   data N FOLDER ...  reads samples: label.bin (bytes), first.bin and second.bin (doubles) of each
#   run NAME LOOPS     seconds for all loops, each of the next sample, beginning with the first; a
#                      tab, and the number found last, or each of two; or "error" and the message
#   replicates N       how many a bootstrap draws
#   versions           packages and their versions
commands <- file("stdin", "r")
roc_of <- function(score, ...) {
  pROC::roc(label, score, levels = c(0, 1), direction = "<", quiet = TRUE, ...)
}
take <- function(i) {
  label <<- samples[[i]]$label
  first <<- samples[[i]]$first
  second <<- samples[[i]]$second
}
area_under <- function(x, y) sum(diff(x) * (head(y, -1) + tail(y, -1)) / 2)
calls <- list(
  "pROC auc" = function() as.numeric(pROC::auc(roc_of(first))),
  "ROCR auc" = function() ROCR::performance(ROCR::prediction(first, label), "auc")@y.values[[1]],
  "PRROC roc.curve" = function() {
    PRROC::roc.curve(first[label == 1], first[label == 0])$auc
  },
  "pROC roc" = function() roc_of(first, auc = FALSE),
  "ROCR tpr fpr" = function() ROCR::performance(ROCR::prediction(first, label), "tpr", "fpr"),
  "pROC ci.auc" = function() as.numeric(pROC::ci.auc(roc_of(first)))[2],
  "pROC bootstrap" = function() {
    as.numeric(pROC::ci.auc(roc_of(first), method = "bootstrap", boot.n = replicates,
                            progress = "none"))[c(1, 3)]
  },
  "pROC roc.test" = function() {
    abs(as.numeric(pROC::roc.test(roc_of(first), roc_of(second), paired = TRUE)$statistic))
  }
)
read_of <- list(
  "pROC roc" = function(r) area_under(1 - rev(r$specificities), rev(r$sensitivities)),
  "ROCR tpr fpr" = function(p) area_under(p@x.values[[1]], p@y.values[[1]])
)
answer <- function(words) {
  if (words[1] == "versions") {
    known <- c("pROC", "ROCR", "PRROC")
    known <- known[vapply(known, requireNamespace, TRUE, quietly = TRUE)]
    return(paste(known, vapply(known, function(p) as.character(packageVersion(p)), ""),
                 collapse = "\t"))
  }
  if (words[1] == "replicates") {
    replicates <<- as.integer(words[2])
    return(words[2])
  }
  if (words[1] == "data") {
    n <- as.numeric(words[2])
    samples <<- lapply(words[-(1:2)], function(folder) {
      read <- function(name, ...) readBin(file.path(folder, name), n = n, ...)
      list(label = read("label.bin", what = "integer", size = 1),
           first = read("first.bin", what = "double"),
           second = read("second.bin", what = "double"))
    })
    return("read")
  }
  call <- calls[[words[2]]]
  started <- Sys.time()
  for (i in seq_len(as.integer(words[3]))) {
    take((i - 1) %% length(samples) + 1)
    found <- call()
  }
  took <- as.numeric(difftime(Sys.time(), started, units = "secs"))
  read <- read_of[[words[2]]]
  if (!is.null(read)) found <- read(found)
  paste(c(format(took, digits = 9), format(found, digits = 15)), collapse = "\t")
}
while (length(line <- readLines(commands, 1)) > 0) {
  said <- tryCatch(
    suppressMessages(suppressWarnings(answer(strsplit(line, "\t")[[1]]))),
    error = function(e) paste("error", gsub("\n", " ", conditionMessage(e)), sep = "\t")
  )
  cat(said, "\n", sep = "")
  flush(stdout())
}
