/** Days that the overview's charts reach back, today included. */
export const overviewDays = 30
