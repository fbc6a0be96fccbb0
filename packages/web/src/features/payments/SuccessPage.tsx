import { Result } from './Result'

/** After a payment. */
export default function SuccessPage() {
  return <Result claimed="success" />
}
