import { describeActs } from '../testing/act'
import { customersActs } from '../testing/customers-acts'

describeActs(customersActs)
