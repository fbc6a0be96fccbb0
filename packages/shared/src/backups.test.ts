import { describe, expect, test } from 'vitest'
import {
  backupCan,
  backupChecksWords,
  firstCheck,
  lateFrom,
  nextBackup,
  repositoryKind,
  repositoryProblemIn,
} from './backups.js'

const serverId = '019aa000-0000-7000-8000-00000000001e' // minute 30 of its hour
const daily = { frequency: 'daily', hour: 3, weekday: null } as const
const at = (text: string) => new Date(text)

describe('the next backup', () => {
  test('is at its hour in Shanghai, at the server’s own minute, today or tomorrow', () => {
    // 03:30 in Shanghai is 19:30 the day before in UTC.
    expect(nextBackup(daily, serverId, at('2026-11-23T19:29:59Z'))).toEqual(at('2026-11-23T19:30:00Z'))
    expect(nextBackup(daily, serverId, at('2026-11-23T19:30:00Z'))).toEqual(at('2026-11-24T19:30:00Z'))
    expect(nextBackup({ ...daily, hour: 23 }, serverId, at('2026-12-31T15:59:00Z'))).toEqual(at('2027-01-01T15:30:00Z'))
  })

  test('of a week is on its day, also where that is today', () => {
    const tuesday = { frequency: 'weekly', hour: 3, weekday: 2 } as const
    expect(nextBackup(tuesday, serverId, at('2026-11-23T19:00:00Z'))).toEqual(at('2026-11-23T19:30:00Z'))
    expect(nextBackup(tuesday, serverId, at('2026-11-23T20:00:00Z'))).toEqual(at('2026-11-30T19:30:00Z'))
    expect(nextBackup({ ...tuesday, weekday: 7 }, serverId, at('2026-11-23T20:00:00Z'))).toEqual(
      at('2026-11-28T19:30:00Z'),
    )
  })

  test('is late after two periods', () => {
    expect(lateFrom(daily, at('2026-11-20T00:00:00Z'))).toEqual(at('2026-11-22T00:00:00Z'))
    expect(lateFrom({ frequency: 'weekly' }, at('2026-11-01T00:00:00Z'))).toEqual(at('2026-11-15T00:00:00Z'))
  })
})

test('a schedule keeps a place; all others may be taken by hand', () => {
  const places = { most: 3, used: 2, manual: 2, isScheduled: false, isStored: true }
  expect(backupCan.create(places)).toBeNull()
  expect(backupCan.create({ ...places, isScheduled: true })).toContain('定时备份保留一个位置')
  expect(backupCan.create({ ...places, used: 3 })).toContain('最多保留 3 个')
  expect(backupCan.schedule(places)).toBeNull()
  expect(backupCan.schedule({ ...places, manual: 3 })).toContain('已占满')
})

test('a backup goes over another server where that has the room, and its login can be proven', () => {
  const backup = { state: 'READY', diskGb: 40, readiness: 'ssh', isMovable: null, lacksFirmware: false } as const
  expect(backupCan.restoreElsewhere(backup, 40)).toBeNull()
  expect(backupCan.restoreElsewhere(backup, 39)).toContain('小于备份的 40 GB')
  expect(backupCan.restoreElsewhere({ ...backup, readiness: 'none' }, 40)).toContain('只能恢复到原服务器')
  expect(backupCan.restoreElsewhere({ ...backup, isMovable: false }, 40)).toContain('没有可用的客户机代理')
  expect(backupCan.restoreElsewhere({ ...backup, state: 'DELETING' }, 40)).toContain('正在删除')
  expect(backupCan.restoreElsewhere({ ...backup, lacksFirmware: true }, 40)).toContain('UEFI')
})

test.each([
  ['/srv/backups', 'folder'],
  ['/srv/../backups', null],
  ['srv/backups', null],
  ['sftp:backup@203.0.113.9:/srv/backups', 'sftp'],
  ['sftp://backup@host.example:2222//srv/backups', 'sftp'],
  ['sftp:host:/srv', null],
  ['s3:https://s3.example.com/bucket/vps', 's3'],
  ['s3:s3.amazonaws.com/bucket', 's3'],
  ['s3:https://s3.example.com', null],
  ['rest:https://backup.example.com:8000/', 'rest'],
  ['rest:https://user:word@backup.example.com/', null],
  ['b2:bucket', null],
])('the address %s is of the kind %s', (url, kind) => {
  expect(repositoryKind(url)).toBe(kind)
})

// As restic 0.14 and ssh print it.
test.each([
  ['Fatal: wrong password or no key found', 'password'],
  ['subprocess ssh: ssh: connect to host 127.0.0.1 port 22: Connection refused\nFatal: unable to open', 'unreachable'],
  ['ssh: Could not resolve hostname nowhere.invalid: Name or service not known\nFatal: … error: EOF', 'unreachable'],
  [
    'Fatal: unable to open config file: client.Head: … dial tcp 127.0.0.1:1: connect: connection refused',
    'unreachable',
  ],
  ['restic --no-cache init: did not end in time', 'unreachable'],
  ['did not end in time: Remove(<snapshot/71>) … blob not removed, server response: 403 Forbidden (403)', 'permission'],
  ['did not end in time: Save(<data/b1>) … unexpected: 500 Internal Server Error (500)', 'other'],
  ['did not end in time: Save(<data/b1>) … unexpected: 507 Insufficient Storage (507)', 'space'],
  ['did not end in time: error for tree 90ea0cc4:\n  ciphertext verification failed', 'unreachable'],
  ['Fatal: unable to open config file: Stat: The specified bucket does not exist.', 'unreachable'],
  ['Fatal: … client.Head: Head "…": http: server gave HTTP response to HTTPS client', 'unreachable'],
  ['subprocess ssh: backup@host: Permission denied (publickey).\nunable to start the sftp session', 'login'],
  ['client.GetObject: The access key ID you provided does not exist in our records.', 'login'],
  ['unexpected HTTP response (401): 401 Unauthorized', 'login'],
  ['Fatal: create repository at /srv/x failed: mkdir /srv/x: permission denied', 'permission'],
  ['mkdir /srv/x: read-only file system', 'permission'],
  ['client.PutObject: Access Denied.', 'permission'],
  ['write /srv/x/data/tmp: no space left on device', 'space'],
  ['error for tree 90ea0cc4:\n  ciphertext verification failed\nFatal: repository contains errors', 'damaged'],
  ['Load(<data/1f>, 213, 0) connection lost\nFatal: repository contains errors', 'unreachable'],
  ['something else', 'other'],
])('%s tells %s', (said, problem) => {
  expect(repositoryProblemIn(said)).toBe(problem)
})

test('first checks are spread over a week by the server', () => {
  const now = at('2026-11-24T00:00:00Z')
  const times = ['00000000', '40000000', 'fffffff0'].map((end) =>
    firstCheck(`019aa000-0000-7000-8000-0000${end}`, now).getTime(),
  )
  expect(new Set(times).size).toBe(3)
  for (const time of times) expect(time - now.getTime()).toBeLessThan(7 * 86_400_000)
})

test('what checks have found is said in one sentence, damage first', () => {
  const checks = { servers: 3, damaged: 0, late: 0, isChecked: true }
  expect(backupChecksWords({ ...checks, servers: 0 })).toBe('还没有备份需要检查')
  expect(backupChecksWords({ ...checks, isChecked: false })).toBe('3 台服务器的备份等待首次检查')
  expect(backupChecksWords(checks)).toBe('3 台服务器的备份每周检查，没有发现问题')
  expect(backupChecksWords({ ...checks, late: 1 })).toContain('超过两周没有检查')
  expect(backupChecksWords({ ...checks, late: 1, damaged: 2 })).toContain('2 台服务器的备份已损坏')
})
