import path from 'node:path'
import { defineConfig } from 'vitest/config'

const conditions = ['@vps/source']

/** On real libvirt and QEMU; started by run.ts, a file at a time. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['tests/vm/**/*.vm.test.ts'],
    reporters: ['verbose', './tests/setup/vitest-reporter.ts'],
    globalSetup: ['tests/setup/cluster.ts'],
    setupFiles: ['packages/api/src/testing/end-apps.ts'],
    fileParallelism: false,
    // Long after anything should have ended, beside others that hold every processor: a busy machine is no defect.
    testTimeout: process.env['VM_TEST_GUEST'] === 'debian' ? 600_000 : 400_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
  },
})
