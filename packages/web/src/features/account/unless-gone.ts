import { codeOf } from '../../api/errors'

/** What is not there any more was removed: by a send that nobody answered, or elsewhere. */
export async function unlessGone(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (codeOf(error) !== 'NOT_FOUND') throw error
  })
}
