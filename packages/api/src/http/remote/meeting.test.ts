import { expect, test } from 'vitest'
import { startApp } from '../../testing/app.js'
import { openMeeting } from './meeting.js'

test('a relay that could not listen once, as its network was down, listens for the next console', async () => {
  const app = await startApp()
  const config = { ...app.deps.config, relayAddress: '192.0.2.1' }
  const meeting = openMeeting({ ...app.deps, config })
  await expect(meeting.address()).rejects.toThrow('EADDRNOTAVAIL')
  config.relayAddress = '127.0.0.1'
  expect(await meeting.address()).toMatch(/^127\.0\.0\.1:\d+$/)
  meeting.close()
  await app.close()
})
