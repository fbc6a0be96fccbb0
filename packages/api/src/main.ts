/** `npm run serve`. Settings: README.md. */
import { serve } from './serve.js'

serve(process.env)
