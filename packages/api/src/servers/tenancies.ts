/**
 * An order's time on a server, written by the database (`keep_tenancies`, migrations/0024_tenancies.sql), never two at
 * a time.
 */

/** `all` is for staff. */
export type Sight = { orderId: string; from: Date; until: Date | null } | 'all'
