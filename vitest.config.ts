import { defineConfig } from 'vitest/config'

if (Number(process.versions.node.split('.')[0]) < 24)
  throw new Error(`Node.js 24 is needed, this is ${process.versions.node}: npm ci brings it, npx vitest calls it`)

const shared = {
  // Sources of the shared package, so that a test never needs a build.
  resolve: { conditions: ['@vps/source'] },
  ssr: { resolve: { conditions: ['@vps/source'], externalConditions: ['@vps/source'] } },
}

// Long after anything should have ended: how quick it is, the bench says, and a busy machine is no defect.
const patient = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000, interval: 20 } } }

/** Tests in `pure` need nothing; those in `database` share one throw-away cluster; `stories` start real processes. */
export default defineConfig({
  ...shared,
  test: {
    maxWorkers: 2,
    reporters: ['default', './tests/setup/vitest-reporter.ts', './tests/setup/still-reporter.ts'],
    projects: [
      {
        ...shared,
        test: {
          name: 'pure',
          include: ['packages/{shared,agent,web}/src/**/*.test.{ts,tsx}', 'tests/repository/**/*.test.ts'],
          exclude: ['**/*.screen.test.tsx'],
          // A process for each of 86 files took a third of this project's processor time.
          isolate: false,
          ...patient,
        },
      },
      {
        ...shared,
        test: {
          name: 'database',
          include: ['packages/{api,demo}/src/**/*.test.ts', 'tests/scripts/**/*.test.ts'],
          globalSetup: ['tests/setup/cluster.ts'],
          setupFiles: ['packages/api/src/testing/end-apps.ts'],
          // The application is loaded once per worker instead of once per file: half the time.
          isolate: false,
          ...patient,
        },
      },
      'packages/web/vitest.config.ts',
      {
        ...shared,
        test: {
          name: 'stories',
          include: ['tests/{stories,faults,simulation}/**/*.test.ts'],
          globalSetup: ['tests/setup/cluster.ts'],
          setupFiles: ['packages/api/src/testing/end-apps.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: patient.expect,
        },
      },
    ],
  },
})
