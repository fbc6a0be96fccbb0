import type { InstallProgress } from '@vps/shared/console.contract'
import { expect, it } from 'vitest'
import { installCells } from './install-cells'

const progress = (change: Partial<InstallProgress>): InstallProgress => ({
  orderId: null,
  orderStatus: 'PROCESSING',
  wasActive: false,
  serverId: 's',
  serverName: 's',
  kind: 'install',
  installStatus: 'INSTALLING',
  percentage: 0,
  steps: [],
  driver: 'kvm',
  jobId: null,
  attempt: 1,
  startedAt: null,
  finishedAt: null,
  typicalSeconds: null,
  error: null,
  ...change,
})

it('lights a cell for each step that is done, and none before', () => {
  const step = (status: 'done' | 'running' | 'pending') => ({
    name: status,
    label: status,
    status,
    startedAt: null,
    finishedAt: null,
  })
  const steps = [step('done'), step('running'), step('pending')]
  expect(installCells(progress({ steps, percentage: 60 }))).toEqual(['done', 'running', 'pending'])
})

it('lights tenths where no steps are told: all of them only for a server that is ready', () => {
  const lit = (change: Partial<InstallProgress>) =>
    installCells(progress(change)).filter((one) => one === 'done').length
  expect([lit({}), lit({ percentage: 39 }), lit({ percentage: 99 }), lit({ installStatus: 'COMPLETED' })]).toEqual([
    0, 3, 9, 10,
  ])
})
