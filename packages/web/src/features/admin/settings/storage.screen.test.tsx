import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, field, inDialog, inQuestion, notices, pressOn, question } from '../../../testing/act'
import { settingsReads, storage } from '../../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../../testing/screen'
import type { Script } from '../../../testing/script'
import { inDays } from '../../../testing/things'

const unused = { servers: 0, damaged: 0, late: 0, lastAt: null, isOk: null, words: '还没有备份需要检查' }
const nowhere: Partial<typeof storage> = { url: null, version: 0, savedAt: null, savedBy: null, check: unused }
const at = '/settings'
const reads = (change: Partial<typeof storage> = {}): Script => ({
  ...settingsReads,
  'backupRepository.get': { data: { ...storage, ...change } },
  'backupRepository.save': { data: null },
  'backupRepository.clear': { data: null },
})
/** The page is read again, as a hint has it do beneath a question. */
const hear = () =>
  page
    .getByRole('button', { name: '刷新', exact: true, includeHidden: true })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))
const sent = async () => (await callsOf('backupRepository.save'))[0]

test('a shop without one says that none is set, and asks for the password that encrypts', async () => {
  await open(at, reads(nowhere), 'admin')
  await expect.element(main().getByText('未设置')).toBeVisible()
  await expect.element(main().getByRole('button', { name: '停用备份存储' })).not.toBeInTheDocument()
  await pressOn('编辑备份存储')
  await field('地址').fill('sftp:backup@203.0.113.9:/srv/backups')
  await expect.element(dialog.getByText(/没有它，任何人都无法恢复/)).toBeVisible()
  await expectSoundEverywhere()
  await field('加密密码').fill('Geheim-und-lang')
  await field('上传限速').fill('2048')
  await inDialog('保存').click()
  await expect.element(notices.getByText('备份存储已更新')).toBeVisible()
  expect(await sent()).toEqual({
    url: 'sftp:backup@203.0.113.9:/srv/backups',
    username: '',
    password: 'Geheim-und-lang',
    loginPassword: null,
    uploadLimitKib: 2048,
    version: 0,
  })
})

test('a REST server asks for a name and a password; S3 for its keys; a folder for neither', async () => {
  await open(at, reads(), 'admin')
  await pressOn('编辑备份存储')
  await expect.element(field('登录密码')).not.toBeInTheDocument()
  await field('地址').fill('s3:https://s3.example.com/backups')
  await expect.element(field('Secret Key')).toBeVisible()
  await field('地址').fill('rest:https://backups.example.com/')
  await field('用户名').fill('shop')
  await field('登录密码').fill('Secret-9')
  await expectSoundEverywhere()
  await field('加密密码').fill('Geheim-und-lang')
  await inDialog('保存').click()
  await expect.element(notices.getByText('备份存储已更新')).toBeVisible()
  expect(await sent()).toMatchObject({ username: 'shop', loginPassword: 'Secret-9' })
})

test('a login that was typed for another kind of address is not sent', async () => {
  await open(at, reads(), 'admin')
  await pressOn('编辑备份存储')
  await field('地址').fill('rest:https://backups.example.com/')
  await field('用户名').fill('shop')
  await field('登录密码').fill('Secret-9')
  await field('地址').fill('/srv/backups')
  await field('加密密码').fill('Geheim-und-lang')
  await inDialog('保存').click()
  await expect.element(notices.getByText('备份存储已更新')).toBeVisible()
  expect(await sent()).toMatchObject({ url: '/srv/backups', username: '', loginPassword: null })
})

test('an address that restic would not take is said at its field', async () => {
  await open(at, reads(), 'admin')
  await pressOn('编辑备份存储')
  await field('地址').fill('rest:https://shop:secret@backups.example.com/')
  await inDialog('保存').click()
  await expect.element(dialog.getByText(/且不含密码/)).toBeVisible()
  expect(await callsOf('backupRepository.save')).toEqual([])
})

test('what the server refuses is said at its field', async () => {
  const refused: Script = {
    'backupRepository.save': {
      refused: 'INVALID_INPUT',
      message: '该地址中已有备份，加密密码不能更改',
      errors: { password: '该地址中已有备份，加密密码不能更改' },
    },
  }
  await open(at, { ...reads(), ...refused }, 'admin')
  await pressOn('编辑备份存储')
  await field('加密密码').fill('Another-secret')
  await inDialog('保存').click()
  await expect.element(dialog.getByText('该地址中已有备份，加密密码不能更改')).toBeVisible()
})

test('it is switched off after a question that says what stays', async () => {
  await open(at, reads(), 'admin')
  await expectSoundEverywhere()
  await pressOn('停用备份存储')
  await expect.element(question).toMatchTextContent(/已有的备份仍在原处，仍可恢复/)
  await inQuestion('确认停用').click()
  await expect.element(notices.getByText('备份存储已停用')).toBeVisible()
  expect(await callsOf('backupRepository.clear')).toEqual([{ version: 1 }])
})

test('one that another operator saved while the question stood open is not switched off unseen', async () => {
  await open(at, reads(), 'admin')
  await pressOn('停用备份存储')
  await expect.element(question).toBeVisible()
  const theirs = { url: '/srv/theirs', version: 2 }
  await answer({ ...reads(theirs), 'backupRepository.clear': { refused: 'CONFLICT' } })
  hear()
  await expect.element(page.getByText(theirs.url)).toBeInTheDocument()
  await inQuestion('确认停用').click()
  await expect.element(question.getByText('数据已被修改，请刷新后重试')).toBeVisible()
  expect(await callsOf('backupRepository.clear')).toEqual([{ version: 1 }])
  await answer(reads(theirs))
  await inQuestion('取消').click()
  await pressOn('停用备份存储')
  await inQuestion('确认停用').click()
  await expect.element(notices.getByText('备份存储已停用')).toBeVisible()
  expect(await callsOf('backupRepository.clear')).toEqual([{ version: 2 }])
})

const tested = { state: 'OK', askedAt: inDays(0), testedAt: inDays(0), hostName: 'hk-1', problem: null } as const

test('a test is asked of a host, and is seen to run', async () => {
  await open(at, { ...reads(), 'backupRepository.test': { data: null } }, 'admin')
  await expect.element(main().getByText('尚未测试')).toBeVisible()
  const running = { ...tested, state: 'RUNNING', testedAt: null, words: '宿主机正在测试', detail: '' } as const
  await answer({ ...reads({ test: running }), 'backupRepository.test': { data: null } })
  await pressOn('测试备份存储')
  await expect.element(main().getByText('宿主机正在测试')).toBeVisible()
  expect(await callsOf('backupRepository.test')).toEqual([{}])
  await expectSoundEverywhere()
})

test('a test that failed says why, with restic’s words', async () => {
  const words = '已连接到备份存储，但没有写入权限'
  const detail = 'Fatal: mkdir /srv/backups: permission denied'
  await open(at, reads({ test: { ...tested, state: 'FAILED', problem: 'permission', words, detail } }), 'admin')
  await expect.element(main().getByText(words)).toBeVisible()
  await expect.element(main().getByText(detail)).toBeVisible()
  await expectSoundEverywhere()
})

test('what the weekly checks found is said, damage loudly', async () => {
  const check = { ...storage.check, damaged: 1, isOk: false, words: '1 台服务器的备份已损坏，详见发现项' }
  await open(at, reads({ test: { ...tested, words: '连接正常：可以读取、创建和写入', detail: '' }, check }), 'admin')
  await expect.element(main().getByText('需要处理')).toBeVisible()
  await expect.element(main().getByText(check.words)).toBeVisible()
  await expect.element(main().getByText('连接正常：可以读取、创建和写入')).toBeVisible()
  await expectSoundEverywhere()
})

test('one that cannot be read says so beside the other settings, and is read again', async () => {
  await open(at, { ...reads(), 'backupRepository.get': { refused: 'FORBIDDEN' } }, 'admin')
  await expect.element(main().getByRole('alert')).toMatchTextContent('加载备份存储失败')
  await expect.element(main().getByText('support@example.com')).toBeVisible()
  await answer(reads())
  await pressOn('重试')
  await expect.element(main().getByText('sftp:backup@203.0.113.9:/srv/backups')).toBeVisible()
})
