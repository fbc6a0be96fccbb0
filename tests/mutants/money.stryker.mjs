import { common } from './stryker.mjs'

export default {
  ...common,
  ignoreStatic: true,
  vitest: { configFile: 'tests/mutants/money.config.ts', related: false },
  mutate: [
    'packages/api/src/wallet/*.ts',
    'packages/api/src/payments/*.ts',
    'packages/api/src/fleet/{reserve,free-capacity}.ts',
    'packages/api/src/orders/{pay-order,price}.ts',
    '!packages/api/src/**/*.test.ts',
    '!packages/api/src/**/router.ts',
  ],
  jsonReporter: { fileName: 'reports/mutants-money.json' },
}
