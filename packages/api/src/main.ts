/** The API and the web's files as one process: `npm run serve`. Settings come from the environment (README.md). */
import { serve } from './serve.js'

serve(process.env)
