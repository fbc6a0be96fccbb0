/** Today included. */
export const overviewDays = 30
export const failedJobDays = 7
