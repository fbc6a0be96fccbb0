import { afterAll } from 'vitest'
import { endIdleApps } from './app.js'

// Run by vitest before every file.
afterAll(endIdleApps)
