"""Does granular ROC choose better models? The experiment of Dong, Li and Li, done again."""
