/** Today included. */
export const overviewDays = 30
/** This one included. */
export const overviewMonths = 12
export const failedJobDays = 7
