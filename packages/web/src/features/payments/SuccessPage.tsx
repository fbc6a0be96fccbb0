import { Result } from './Result'

/** Where the gateway sends somebody who paid. */
export default function SuccessPage() {
  return <Result claimed="success" />
}
