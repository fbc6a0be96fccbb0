import { mergeConfig } from 'vitest/config'
import { mutantTests } from './vitest.js'

/** What moves money and takes places, with the tests against PostgreSQL that must notice a change. */
export default mergeConfig(
  mutantTests([
    'packages/api/src/{wallet,payments}/**/*.test.ts',
    'packages/api/src/fleet/{free-capacity,vlans,many,reserve,queries}.test.ts',
    'packages/api/src/orders/pay-order.test.ts',
  ]),
  {
    test: {
      globalSetup: ['tests/setup/cluster.ts'],
      setupFiles: ['packages/api/src/testing/end-apps.ts'],
      isolate: false,
      testTimeout: 20_000,
      hookTimeout: 30_000,
    },
  },
)
