// SPDX-License-Identifier: Apache-2.0

import Events

@testable import Gateway

/// The role of an account, for files that also know the ledger's word for it.
typealias UserRole = Role
