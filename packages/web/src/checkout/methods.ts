import { paymentMethods } from '@vps/shared/payments'

/** An unknown code stands for itself. */
export const methodName = (code: string): string => paymentMethods.find((method) => method.code === code)?.name ?? code
