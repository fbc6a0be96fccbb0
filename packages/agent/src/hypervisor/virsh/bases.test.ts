import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDeadline } from '../../deadline.js'
import { openImageFolder } from '../../images/folder.js'
import { temporaryFolder } from '../../testing/agent.js'
import { qcow2Header } from '../../testing/qcow2.js'
import { openBases } from './bases.js'

let folder: ReturnType<typeof temporaryFolder>
let bases: ReturnType<typeof openBases>
const images = () => openImageFolder(join(folder.path, 'images'))
const hashOf = (content: string) => createHash('sha256').update(content).digest('hex')
const basePath = (content: string) => join(folder.path, 'base', `${hashOf(content)}.img`)
const image = (file: string, content: string) => writeFileSync(join(folder.path, 'images', file), content)
const disk = (name: string, content: string) =>
  writeFileSync(join(folder.path, `${name}.qcow2`), qcow2Header(5, basePath(content)))

beforeEach(async () => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'images'))
  bases = openBases(folder.path, images())
  await bases.prepare()
})
afterEach(() => folder.remove())

const use = (file: string, content: string) => {
  const given: string[] = []
  return bases.use(file, hashOf(content), async (base) => void given.push(base)).then(() => given)
}

test('a base is a read-only copy under its hash, and made once for all installs on one image', async () => {
  image('debian.qcow2', 'one')
  expect(await Promise.all([use('debian.qcow2', 'one'), use('debian.qcow2', 'one')])).toEqual([
    [basePath('one')],
    [basePath('one')],
  ])
  expect(readdirSync(join(folder.path, 'base'))).toEqual([`${hashOf('one')}.img`])
  expect(readFileSync(basePath('one'), 'utf8')).toBe('one')
  expect(statSync(basePath('one')).mode & 0o222).toBe(0)
})

test('a disk whose turn comes after its step has ended is not made beside the next try’s', async () => {
  image('debian.qcow2', 'one')
  let free = () => {}
  const held = new Promise<void>((resolve) => (free = resolve))
  const before = bases.use('debian.qcow2', hashOf('one'), () => held)
  const made: string[] = []
  const late = () => bases.use('debian.qcow2', hashOf('one'), async (base) => void made.push(base))
  await expect(withDeadline(late, { limitMs: 20, graceMs: 20 }, 'createDisk')).rejects.toThrow('did not end')
  free()
  await Promise.all([before, use('debian.qcow2', 'one')])
  expect(made).toEqual([])
})

test('QEMU’s user gets through to bases and images whatever umask the agent has', async () => {
  const umask = process.umask(0o077)
  try {
    const storage = join(folder.path, 'var', 'machines')
    const its = openImageFolder(join(storage, 'images'))
    await openBases(storage, its).prepare()
    await its.make()
    writeFileSync(its.pathOf('debian.qcow2'), 'one')
    let base = ''
    await openBases(storage, its).use('debian.qcow2', hashOf('one'), async (path) => void (base = path))
    const modes = [join(folder.path, 'var'), storage, its.dir, join(storage, 'base'), base].map(modeOf)
    expect(modes).toEqual([0o711, 0o711, 0o711, 0o711, 0o444])
    chmodSync(join(storage, 'base'), 0o700)
    await openBases(storage, its).prepare()
    expect(modeOf(join(storage, 'base'))).toBe(0o711)
  } finally {
    process.umask(umask)
  }
})

const modeOf = (path: string) => statSync(path).mode & 0o777

test('an image that is written over does not change what disks rest on', async () => {
  image('debian.qcow2', 'one')
  await use('debian.qcow2', 'one')
  image('debian.qcow2', 'another content')
  expect(readFileSync(basePath('one'), 'utf8')).toBe('one')
  await use('debian.qcow2', 'another content')
  expect(readdirSync(join(folder.path, 'base'))).toHaveLength(2)
})

test('an image that was replaced between its check and its copy makes no base', async () => {
  image('debian.qcow2', 'replaced just now')
  await expect(use('debian.qcow2', 'one')).rejects.toThrow('was replaced just now')
  expect(existsSync(basePath('one'))).toBe(false)
  expect(existsSync(basePath('replaced just now'))).toBe(false)
  expect(readdirSync(join(folder.path, 'base'))).toEqual([])
})

test('a copy that a killed agent had not finished takes no room past the next start', async () => {
  image('debian.qcow2', 'one')
  await use('debian.qcow2', 'one')
  writeFileSync(`${basePath('another')}.new`, 'anoth')
  await bases.prepare()
  expect(readdirSync(join(folder.path, 'base'))).toEqual([`${hashOf('one')}.img`])
})

test('a base under living disks that is no longer what it was is refused for good, told, and not removed', async () => {
  image('debian.qcow2', 'one')
  await use('debian.qcow2', 'one')
  disk('server-1', 'one')
  disk('server-2', 'one')
  rmSync(basePath('one'))
  writeFileSync(basePath('one'), 'damaged')
  await expect(use('debian.qcow2', 'one')).rejects.toMatchObject({ final: true, customer: '系统镜像不可用' })
  expect(await bases.changed()).toEqual([{ sha256: hashOf('one'), disks: 2 }])
  expect(existsSync(basePath('one'))).toBe(true)
})

test('a changed base that nothing rests on is made anew', async () => {
  image('debian.qcow2', 'one')
  await use('debian.qcow2', 'one')
  rmSync(basePath('one'))
  writeFileSync(basePath('one'), 'damaged')
  expect(await bases.changed()).toEqual([])
  await use('debian.qcow2', 'one')
  expect(readFileSync(basePath('one'), 'utf8')).toBe('one')
})

test('what nothing rests on and no image is made of any more goes; everything else stays', async () => {
  for (const content of ['used', 'gone', 'there']) {
    image(`${content}.qcow2`, content)
    await use(`${content}.qcow2`, content)
  }
  disk('server-1', 'used')
  rmSync(join(folder.path, 'images', 'used.qcow2'))
  rmSync(join(folder.path, 'images', 'gone.qcow2'))
  await bases.removeOld()
  expect([existsSync(basePath('used')), existsSync(basePath('gone')), existsSync(basePath('there'))]).toEqual([
    true,
    false,
    true,
  ])
})

test('a storage that was moved, and is still reached by its old path, keeps the bases of its disks', async () => {
  image('debian.qcow2', 'one')
  await use('debian.qcow2', 'one')
  rmSync(join(folder.path, 'images', 'debian.qcow2'))
  const linked = `${folder.path}-linked`
  symlinkSync(folder.path, linked)
  try {
    writeFileSync(join(folder.path, 'server-1.qcow2'), qcow2Header(5, join(linked, 'base', `${hashOf('one')}.img`)))
    await bases.removeOld()
    expect(existsSync(basePath('one'))).toBe(true)
    writeFileSync(join(folder.path, 'server-1.qcow2'), qcow2Header(5, `base/${hashOf('one')}.img`))
    await bases.removeOld()
    expect(existsSync(basePath('one'))).toBe(true)
  } finally {
    rmSync(linked)
  }
})

test('a base under living disks that was deleted is made anew of the same image, and told where there is none', async () => {
  image('debian.qcow2', 'one')
  await use('debian.qcow2', 'one')
  disk('server-1', 'one')
  rmSync(join(folder.path, 'base'), { recursive: true })
  // As after a restart of the agent: the image was not read yet.
  const restarted = openBases(folder.path, images())
  expect(await restarted.changed()).toEqual([])
  expect(readFileSync(basePath('one'), 'utf8')).toBe('one')
  rmSync(basePath('one'))
  image('debian.qcow2', 'another')
  expect(await restarted.changed()).toEqual([{ sha256: hashOf('one'), disks: 1 }])
})

test('a base as large as an image that was not read yet may be that one, and stays', async () => {
  image('debian.qcow2', 'one')
  await use('debian.qcow2', 'one')
  const restarted = openBases(folder.path, images())
  await restarted.removeOld()
  expect(existsSync(basePath('one'))).toBe(true)
})

test('a base that an earlier agent made as a second name of its image gets a file of its own', async () => {
  image('debian.qcow2', 'one')
  linkSync(join(folder.path, 'images', 'debian.qcow2'), basePath('one'))
  const before = statSync(basePath('one')).ino
  await openBases(folder.path, images()).prepare()
  const [ofImage, ofBase] = [statSync(join(folder.path, 'images', 'debian.qcow2')), statSync(basePath('one'))]
  expect(ofBase.ino).toBe(before)
  expect(ofImage.ino).not.toBe(before)
  expect(readFileSync(join(folder.path, 'images', 'debian.qcow2'), 'utf8')).toBe('one')
  expect(ofBase.mode & 0o222).toBe(0)
})

test('an act that fails does not stop those behind it', async () => {
  image('debian.qcow2', 'one')
  const failing = bases.use('debian.qcow2', hashOf('one'), () => Promise.reject(new Error('no room')))
  const next = use('debian.qcow2', 'one')
  await expect(failing).rejects.toThrow('no room')
  expect(await next).toEqual([basePath('one')])
})
