/** Today included. */
export const overviewDays = 30
