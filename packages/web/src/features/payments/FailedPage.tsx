import { Result } from './Result'

/** Where the gateway sends somebody whose payment failed. */
export default function FailedPage() {
  return <Result claimed="failed" />
}
