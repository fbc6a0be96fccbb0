import { beforeEach, expect, test } from 'vitest'
import { forgetJob, subscribeToJobs, watchedJobs, watchJob } from './watched-jobs'

beforeEach(() => {
  for (const id of watchedJobs()) forgetJob(id)
})

test('a job is watched once, however often that is asked, until its end was told', () => {
  watchJob('a')
  watchJob('b')
  watchJob('a')
  expect(watchedJobs()).toEqual(['a', 'b'])
  forgetJob('a')
  expect(watchedJobs()).toEqual(['b'])
})

test('asking again tells nobody anything, so that nothing is drawn anew', () => {
  watchJob('a')
  const before = watchedJobs()
  let heard = 0
  const leave = subscribeToJobs(() => heard++)
  watchJob('a')
  expect([heard, watchedJobs() === before]).toEqual([0, true])
  watchJob('b')
  leave()
  watchJob('c')
  expect(heard).toBe(1)
})
