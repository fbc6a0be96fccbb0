import * as z from 'zod'
import { searchText } from './fields.contract.js'
import { lastPage } from './page.js'

/** Page numbers are zero-based; at most 1,000 rows a page (more is 400). */
export const pageInput = z.object({
  page: z.int().min(0).max(lastPage).default(0),
  size: z.int().min(1).max(1000, { error: '每页最多 1000 条' }).default(10),
})
export type PageInput = z.infer<typeof pageInput>

/** A page as part 2 section 7 reads it: content, totalElements, totalPages, number, size. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    content: z.array(item),
    totalElements: z.int(),
    totalPages: z.int(),
    number: z.int(),
    size: z.int(),
    /** totalElements is exact up to 10,000; beyond that it is an estimate and the screen says 约. */
    totalIsEstimate: z.boolean().optional(),
  })
}

/** Paging of the administrator's lists: without page and size everything, up to 1,000. */
export const searchPageInput = pageInput.extend({
  size: pageInput.shape.size.unwrap().default(1000),
  search: searchText,
})
