/** Today included. */
export const overviewDays = 30
/** A failed job is told so long. */
export const failedJobDays = 7
