import type { QueryClient } from '@tanstack/react-query'

/**
 * A public page's HTML brings the answers that it was made from (decision 0083): with them its first drawing is whole.
 * Each counts as old, so it is asked for again at once. They stand inside the root, which the first drawing empties.
 */
export function takeFirstAnswers(queryClient: QueryClient): void {
  const kept = document.querySelector('#root script[type="application/json"]')?.textContent
  if (!kept) return
  const answers: Record<string, unknown> = JSON.parse(kept)
  for (const [name, answer] of Object.entries(answers))
    queryClient.setQueryData([name.split('.'), { type: 'query' }], answer, { updatedAt: 0 })
}
