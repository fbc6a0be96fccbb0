/** Today included. */
export const overviewDays = 30
/** For so long a job that failed is told. */
export const failedJobDays = 7
