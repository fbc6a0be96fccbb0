import { expect, test } from 'vitest'
import { outline } from '../../testing/openapi-outline.js'
import { openApiDocument } from './openapi.js'

/** `npm run openapi` writes it. */
test('the checked-in outline of the REST document is what the table says', async () => {
  const { paths, components } = openApiDocument()
  await expect(outline(paths, components.schemas)).toMatchFileSnapshot('openapi.txt')
})
