import { serve } from '@vps/api/serve'
import { registerFaults } from './faults.js'
import { registerMailbox } from './mailbox-routes.js'
import { openMailbox, type Mailbox } from './mailbox.js'
import { seedDemo } from './seed.js'

let mailbox: Mailbox | null = null

serve(process.env, {
  async prepare(config) {
    if (config.smtpUrl !== null) return config
    mailbox = await openMailbox(() => new Date())
    return { ...config, smtpUrl: mailbox.smtpUrl }
  },
  seed: (deps) =>
    seedDemo(deps, {
      enrolmentTokens: (process.env['DEMO_ENROLMENT_TOKENS'] ?? '').split(',').filter((token) => token !== ''),
      seedFolder: process.env['DEMO_SEED_FOLDER'] || null,
      customers: Number(process.env['DEMO_CUSTOMERS'] ?? 0),
    }),
  register(app, deps) {
    if (mailbox) registerMailbox(app, mailbox)
    registerFaults(app, deps, Date.now)
  },
  close: async () => mailbox?.close(),
})
