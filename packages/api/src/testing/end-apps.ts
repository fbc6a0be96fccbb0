import { afterAll } from 'vitest'
import { endIdleApps } from './app.js'

// Run by vitest before every file: what its tests leave for each other ends with it.
afterAll(endIdleApps)
