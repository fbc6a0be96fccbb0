import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentIdentity } from '@vps/shared/agent.contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { versionOf } from './identity.js'
import { temporaryFolder } from './testing/agent.js'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => (folder = temporaryFolder()))
afterEach(() => folder.remove())

test('an agent tells its build: the same of the same program wherever it lies, and another of another', async () => {
  const version = (name: string, program: string) => {
    writeFileSync(join(folder.path, name), program)
    return versionOf(join(folder.path, name))
  }
  const versions = [await version('here', 'one'), await version('there', 'one'), await version('next', 'two')]
  expect(versions).toEqual([versions[0], versions[0], expect.stringMatching(/^1\.0\.0\+[0-9a-f]{7}$/)])
  expect(versions[2]).not.toBe(versions[0])
  expect(agentIdentity.shape.agentVersion.parse(versions[0])).toBe(versions[0])
})
