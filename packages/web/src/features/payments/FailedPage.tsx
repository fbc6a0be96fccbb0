import { Result } from './Result'

/** After a failed payment. */
export default function FailedPage() {
  return <Result claimed="failed" />
}
