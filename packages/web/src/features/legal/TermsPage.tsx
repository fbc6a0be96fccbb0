import { LegalPage } from './LegalPage'

/** 服务条款. */
export default function TermsPage() {
  return <LegalPage name="terms" />
}
