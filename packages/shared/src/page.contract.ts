import * as z from 'zod'
import { searchText } from './fields.contract.js'
import { lastPage } from './page.js'

/** Zero-based; more than 1,000 rows a page is 400. */
export const pageInput = z.object({
  page: z.int().min(0).max(lastPage).default(0),
  size: z.int().min(1).max(1000, { error: '每页最多 1000 条' }).default(10),
})
export type PageInput = z.infer<typeof pageInput>

/** As part 2 section 7 reads it. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    content: z.array(item),
    totalElements: z.int(),
    totalPages: z.int(),
    number: z.int(),
    size: z.int(),
    /** Exact up to 10,000; beyond, the screen says 约. */
    totalIsEstimate: z.boolean().optional(),
  })
}

/** Without page and size all, up to 1,000. */
export const searchPageInput = pageInput.extend({
  size: pageInput.shape.size.unwrap().default(1000),
  search: searchText,
})
