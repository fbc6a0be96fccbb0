import { sql, type RawBuilder } from 'kysely'

/** As a person orders names: node-2 before node-10, Chinese by its sound. Sorts what was read: no index has this order. */
export const inNameOrder = (column: string): RawBuilder<string> => sql<string>`${sql.ref(column)} collate by_number`
