/** Hours after which an unpaid order is cancelled, and minutes in which a paid one must be up. */
export const unpaidHours = 24
export const setUpMinutes = 30

/** In which an unpaid suspended order may still be renewed (decisions, "Order life cycle"). */
export const graceHours = 72

/** After activation. */
export const refundDays = 7
