/** Static mutants need a run of every test each: left out. */
export const common = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text', 'progress', 'json'],
  tempDirName: '.mutants',
  cleanTempDir: 'always',
  ignorePatterns: ['.turbo', 'dist', 'reports', 'database', 'docs', 'packages/web', 'tests/browser'],
  thresholds: { high: 95, low: 85, break: 85 },
}
