import { mutantTests } from './vitest.js'

/** Rules, with the pure tests that must notice a change. */
export default mutantTests([
  'packages/shared/src/*.test.ts',
  'packages/agent/src/plan*.test.ts',
  'packages/api/src/payments/epay/{sign,money,notify}.test.ts',
])
