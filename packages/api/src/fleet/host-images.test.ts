import { describe, expect, test } from 'vitest'
import { brokenImageFindings, changedBaseFindings, isReady } from './host-images.js'

const [right, wrong] = ['a'.repeat(64), 'b'.repeat(64)]
const file = (more: object = {}) => ({ file: 'debian.qcow2', bytes: 1, broken: null, ...more })
const fetched = { url: 'https://images.example/debian.qcow2', sha256: right }

describe('a file on a host is what its image says', () => {
  test.each([
    ['where its content was read and is right', { sha256: right }, fetched, false, true],
    ['not where it was read and is another', { sha256: wrong }, fetched, true, false],
    ['not while a new start has not read it yet', { sha256: null }, fetched, false, false],
    ['while a new start has not read it again, as it was before', { sha256: null }, fetched, true, true],
    ['where an older agent, which fetches nothing, has it', {}, fetched, false, true],
    ['where an operator put it there', { sha256: null }, { url: null, sha256: null }, false, true],
    ['where an operator put it there and it was not read', { sha256: null }, { url: null, sha256: right }, false, true],
    [
      'not where an operator’s file is known to be another',
      { sha256: wrong },
      { url: null, sha256: right },
      true,
      false,
    ],
    ['where no image speaks of it', { sha256: wrong }, undefined, false, true],
  ] as const)('%s', (_, told, image, before, ready) => {
    expect(isReady(file(told), image, before)).toBe(ready)
  })
})

test('a damaged file is told with what is wrong with it, and a whole one is not', () => {
  const images = [file({ broken: 'truncated' }), file({ file: 'whole.qcow2' })]
  expect(brokenImageFindings({ images })).toEqual([
    { kind: 'broken-image', subject: 'debian.qcow2', details: { problem: 'truncated' } },
  ])
})

test('a base that was written to is told with the images that rest on it, and how many disks', () => {
  const images = [
    file({ sha256: right }),
    file({ file: 'twin.qcow2', sha256: right }),
    file({ file: 'x', sha256: wrong }),
  ]
  expect(changedBaseFindings({ images, changedBases: [{ sha256: right, disks: 3 }] })).toEqual([
    { kind: 'changed-base', subject: right, details: { images: ['debian.qcow2', 'twin.qcow2'], disks: 3 } },
  ])
  expect(changedBaseFindings({ images, changedBases: [] })).toEqual([])
})
