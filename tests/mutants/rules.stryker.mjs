import { common } from './stryker.mjs'

const shared = ['pricing', 'orders', 'hosts', 'images', 'periods', 'money']
const epay = ['sign', 'fields', 'money', 'notify']

export default {
  ...common,
  vitest: { configFile: 'tests/mutants/rules.config.ts', related: false },
  mutate: [
    ...shared.map((name) => `packages/shared/src/${name}.ts`),
    'packages/agent/src/plan{,-iso,-redefine}.ts',
    ...epay.map((name) => `packages/api/src/payments/epay/${name}.ts`),
  ],
  jsonReporter: { fileName: 'reports/mutants-rules.json' },
}
