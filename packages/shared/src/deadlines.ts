/** Hours after which an unpaid order is cancelled, and minutes in which a paid one must be up. */
export const unpaidHours = 24
export const setUpMinutes = 30

/** Hours after expiresAt in which an unpaid suspended order may still be renewed (decisions, "Order life cycle"). */
export const graceHours = 72

/** Days after activation in which a refund may be asked for. */
export const refundDays = 7
