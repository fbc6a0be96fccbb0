/** To pay, and to be up once paid. */
export const unpaidHours = 24
export const setUpMinutes = 30

/** An unpaid suspended order may still be renewed (decisions, "Order life cycle"). */
export const graceHours = 72

/** After activation. */
export const refundDays = 7
