// SPDX-License-Identifier: Apache-2.0

/// The step that gives every row a code, as it was released: what codes stand over may grow, and this may not.
///
/// A column that a table gets later comes with a step of its own. It drops both triggers of the table and makes them anew with
/// the column, and gives a new code to the rows that had a right one; a row without keeps none. Only then the column is named in
/// ``SealedRows/tables``, which say what codes stand over by now.
extension AccountSchema {
    /// With them come where the ledger tells of a password, and until when a sign-in has outlived its user's other ends, for rows of
    /// before an end can be put back, code and all; how far the accounts had followed said nothing of them.
    ///
    /// What is planted stays without a code, whatever is changed in it.
    static let rowCodes = """
        ALTER TABLE users ADD COLUMN password_at INTEGER;
        ALTER TABLE tokens ADD COLUMN outlived INTEGER;
        DROP TABLE followed;
        ALTER TABLE users ADD COLUMN code BLOB;
        CREATE TRIGGER users_made AFTER INSERT ON users BEGIN
            UPDATE users SET code =
                row_code('users', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.login), CAST(NEW.login AS BLOB), typeof(NEW.org), CAST(NEW.org AS BLOB),
                    typeof(NEW.role), CAST(NEW.role AS BLOB),
                    typeof(NEW.password), CAST(NEW.password AS BLOB),
                    typeof(NEW.temporary), CAST(NEW.temporary AS BLOB),
                    typeof(NEW.disabled), CAST(NEW.disabled AS BLOB),
                    typeof(NEW.created), CAST(NEW.created AS BLOB),
                    typeof(NEW.password_at), CAST(NEW.password_at AS BLOB))
            WHERE id = NEW.id;
        END;
        CREATE TRIGGER users_changed
        AFTER UPDATE OF id, login, org, role, password, temporary, disabled, created, password_at ON users
        WHEN OLD.code IS
                row_code('users', typeof(OLD.id), CAST(OLD.id AS BLOB),
                    typeof(OLD.login), CAST(OLD.login AS BLOB), typeof(OLD.org), CAST(OLD.org AS BLOB),
                    typeof(OLD.role), CAST(OLD.role AS BLOB),
                    typeof(OLD.password), CAST(OLD.password AS BLOB),
                    typeof(OLD.temporary), CAST(OLD.temporary AS BLOB),
                    typeof(OLD.disabled), CAST(OLD.disabled AS BLOB),
                    typeof(OLD.created), CAST(OLD.created AS BLOB),
                    typeof(OLD.password_at), CAST(OLD.password_at AS BLOB))
        BEGIN
            UPDATE users SET code =
                row_code('users', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.login), CAST(NEW.login AS BLOB), typeof(NEW.org), CAST(NEW.org AS BLOB),
                    typeof(NEW.role), CAST(NEW.role AS BLOB),
                    typeof(NEW.password), CAST(NEW.password AS BLOB),
                    typeof(NEW.temporary), CAST(NEW.temporary AS BLOB),
                    typeof(NEW.disabled), CAST(NEW.disabled AS BLOB),
                    typeof(NEW.created), CAST(NEW.created AS BLOB),
                    typeof(NEW.password_at), CAST(NEW.password_at AS BLOB))
            WHERE id = NEW.id;
        END;
        ALTER TABLE devices ADD COLUMN code BLOB;
        CREATE TRIGGER devices_made AFTER INSERT ON devices BEGIN
            UPDATE devices SET code =
                row_code('devices', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.person), CAST(NEW.person AS BLOB),
                    typeof(NEW.phone), CAST(NEW.phone AS BLOB), typeof(NEW.org), CAST(NEW.org AS BLOB),
                    typeof(NEW.role), CAST(NEW.role AS BLOB),
                    typeof(NEW.created), CAST(NEW.created AS BLOB),
                    typeof(NEW.revoked), CAST(NEW.revoked AS BLOB),
                    typeof(NEW.since), CAST(NEW.since AS BLOB),
                    typeof(NEW.admitted_by), CAST(NEW.admitted_by AS BLOB))
            WHERE id = NEW.id;
        END;
        CREATE TRIGGER devices_changed
        AFTER UPDATE OF id, person, phone, org, role, created, revoked, since, admitted_by ON devices
        WHEN OLD.code IS
                row_code('devices', typeof(OLD.id), CAST(OLD.id AS BLOB),
                    typeof(OLD.person), CAST(OLD.person AS BLOB),
                    typeof(OLD.phone), CAST(OLD.phone AS BLOB), typeof(OLD.org), CAST(OLD.org AS BLOB),
                    typeof(OLD.role), CAST(OLD.role AS BLOB),
                    typeof(OLD.created), CAST(OLD.created AS BLOB),
                    typeof(OLD.revoked), CAST(OLD.revoked AS BLOB),
                    typeof(OLD.since), CAST(OLD.since AS BLOB),
                    typeof(OLD.admitted_by), CAST(OLD.admitted_by AS BLOB))
        BEGIN
            UPDATE devices SET code =
                row_code('devices', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.person), CAST(NEW.person AS BLOB),
                    typeof(NEW.phone), CAST(NEW.phone AS BLOB), typeof(NEW.org), CAST(NEW.org AS BLOB),
                    typeof(NEW.role), CAST(NEW.role AS BLOB),
                    typeof(NEW.created), CAST(NEW.created AS BLOB),
                    typeof(NEW.revoked), CAST(NEW.revoked AS BLOB),
                    typeof(NEW.since), CAST(NEW.since AS BLOB),
                    typeof(NEW.admitted_by), CAST(NEW.admitted_by AS BLOB))
            WHERE id = NEW.id;
        END;
        ALTER TABLE device_sessions ADD COLUMN code BLOB;
        CREATE TRIGGER device_sessions_made AFTER INSERT ON device_sessions BEGIN
            UPDATE device_sessions SET code =
                row_code('device_sessions', typeof(NEW.device), CAST(NEW.device AS BLOB),
                    typeof(NEW.session), CAST(NEW.session AS BLOB),
                    typeof(NEW.through), CAST(NEW.through AS BLOB))
            WHERE device = NEW.device AND session = NEW.session;
        END;
        CREATE TRIGGER device_sessions_changed
        AFTER UPDATE OF device, session, through ON device_sessions
        WHEN OLD.code IS
                row_code('device_sessions', typeof(OLD.device), CAST(OLD.device AS BLOB),
                    typeof(OLD.session), CAST(OLD.session AS BLOB),
                    typeof(OLD.through), CAST(OLD.through AS BLOB))
        BEGIN
            UPDATE device_sessions SET code =
                row_code('device_sessions', typeof(NEW.device), CAST(NEW.device AS BLOB),
                    typeof(NEW.session), CAST(NEW.session AS BLOB),
                    typeof(NEW.through), CAST(NEW.through AS BLOB))
            WHERE device = NEW.device AND session = NEW.session;
        END;
        ALTER TABLE device_codes ADD COLUMN code BLOB;
        CREATE TRIGGER device_codes_made AFTER INSERT ON device_codes BEGIN
            UPDATE device_codes SET code =
                row_code('device_codes', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.phone), CAST(NEW.phone AS BLOB),
                    typeof(NEW.person), CAST(NEW.person AS BLOB), typeof(NEW.org), CAST(NEW.org AS BLOB),
                    typeof(NEW.role), CAST(NEW.role AS BLOB), typeof(NEW.hash), CAST(NEW.hash AS BLOB),
                    typeof(NEW.expires), CAST(NEW.expires AS BLOB),
                    typeof(NEW.tries), CAST(NEW.tries AS BLOB), typeof(NEW.used), CAST(NEW.used AS BLOB),
                    typeof(NEW.session), CAST(NEW.session AS BLOB),
                    typeof(NEW.giver), CAST(NEW.giver AS BLOB))
            WHERE id = NEW.id;
        END;
        CREATE TRIGGER device_codes_changed
        AFTER UPDATE OF id, phone, person, org, role, hash, expires, tries, used, session, giver ON device_codes
        WHEN OLD.code IS
                row_code('device_codes', typeof(OLD.id), CAST(OLD.id AS BLOB),
                    typeof(OLD.phone), CAST(OLD.phone AS BLOB),
                    typeof(OLD.person), CAST(OLD.person AS BLOB), typeof(OLD.org), CAST(OLD.org AS BLOB),
                    typeof(OLD.role), CAST(OLD.role AS BLOB), typeof(OLD.hash), CAST(OLD.hash AS BLOB),
                    typeof(OLD.expires), CAST(OLD.expires AS BLOB),
                    typeof(OLD.tries), CAST(OLD.tries AS BLOB), typeof(OLD.used), CAST(OLD.used AS BLOB),
                    typeof(OLD.session), CAST(OLD.session AS BLOB),
                    typeof(OLD.giver), CAST(OLD.giver AS BLOB))
        BEGIN
            UPDATE device_codes SET code =
                row_code('device_codes', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.phone), CAST(NEW.phone AS BLOB),
                    typeof(NEW.person), CAST(NEW.person AS BLOB), typeof(NEW.org), CAST(NEW.org AS BLOB),
                    typeof(NEW.role), CAST(NEW.role AS BLOB), typeof(NEW.hash), CAST(NEW.hash AS BLOB),
                    typeof(NEW.expires), CAST(NEW.expires AS BLOB),
                    typeof(NEW.tries), CAST(NEW.tries AS BLOB), typeof(NEW.used), CAST(NEW.used AS BLOB),
                    typeof(NEW.session), CAST(NEW.session AS BLOB),
                    typeof(NEW.giver), CAST(NEW.giver AS BLOB))
            WHERE id = NEW.id;
        END;
        ALTER TABLE tokens ADD COLUMN code BLOB;
        CREATE TRIGGER tokens_made AFTER INSERT ON tokens BEGIN
            UPDATE tokens SET code =
                row_code('tokens', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.hash), CAST(NEW.hash AS BLOB), typeof(NEW.user), CAST(NEW.user AS BLOB),
                    typeof(NEW.device), CAST(NEW.device AS BLOB),
                    typeof(NEW.scopes), CAST(NEW.scopes AS BLOB),
                    typeof(NEW.created), CAST(NEW.created AS BLOB),
                    typeof(NEW.expires), CAST(NEW.expires AS BLOB),
                    typeof(NEW.idle), CAST(NEW.idle AS BLOB), typeof(NEW.used), CAST(NEW.used AS BLOB),
                    typeof(NEW.revoked), CAST(NEW.revoked AS BLOB),
                    typeof(NEW.outlived), CAST(NEW.outlived AS BLOB))
            WHERE id = NEW.id;
        END;
        CREATE TRIGGER tokens_changed
        AFTER UPDATE OF id, hash, user, device, scopes, created, expires, idle, used, revoked, outlived ON tokens
        WHEN OLD.code IS
                row_code('tokens', typeof(OLD.id), CAST(OLD.id AS BLOB),
                    typeof(OLD.hash), CAST(OLD.hash AS BLOB), typeof(OLD.user), CAST(OLD.user AS BLOB),
                    typeof(OLD.device), CAST(OLD.device AS BLOB),
                    typeof(OLD.scopes), CAST(OLD.scopes AS BLOB),
                    typeof(OLD.created), CAST(OLD.created AS BLOB),
                    typeof(OLD.expires), CAST(OLD.expires AS BLOB),
                    typeof(OLD.idle), CAST(OLD.idle AS BLOB), typeof(OLD.used), CAST(OLD.used AS BLOB),
                    typeof(OLD.revoked), CAST(OLD.revoked AS BLOB),
                    typeof(OLD.outlived), CAST(OLD.outlived AS BLOB))
        BEGIN
            UPDATE tokens SET code =
                row_code('tokens', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.hash), CAST(NEW.hash AS BLOB), typeof(NEW.user), CAST(NEW.user AS BLOB),
                    typeof(NEW.device), CAST(NEW.device AS BLOB),
                    typeof(NEW.scopes), CAST(NEW.scopes AS BLOB),
                    typeof(NEW.created), CAST(NEW.created AS BLOB),
                    typeof(NEW.expires), CAST(NEW.expires AS BLOB),
                    typeof(NEW.idle), CAST(NEW.idle AS BLOB), typeof(NEW.used), CAST(NEW.used AS BLOB),
                    typeof(NEW.revoked), CAST(NEW.revoked AS BLOB),
                    typeof(NEW.outlived), CAST(NEW.outlived AS BLOB))
            WHERE id = NEW.id;
        END;
        ALTER TABLE links ADD COLUMN code BLOB;
        CREATE TRIGGER links_made AFTER INSERT ON links BEGIN
            UPDATE links SET code =
                row_code('links', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.digest), CAST(NEW.digest AS BLOB), typeof(NEW.hash), CAST(NEW.hash AS BLOB),
                    typeof(NEW.session), CAST(NEW.session AS BLOB),
                    typeof(NEW.person), CAST(NEW.person AS BLOB),
                    typeof(NEW.phone), CAST(NEW.phone AS BLOB), typeof(NEW.org), CAST(NEW.org AS BLOB),
                    typeof(NEW.expires), CAST(NEW.expires AS BLOB),
                    typeof(NEW.tries), CAST(NEW.tries AS BLOB), typeof(NEW.used), CAST(NEW.used AS BLOB))
            WHERE id = NEW.id;
        END;
        CREATE TRIGGER links_changed
        AFTER UPDATE OF id, digest, hash, session, person, phone, org, expires, tries, used ON links
        WHEN OLD.code IS
                row_code('links', typeof(OLD.id), CAST(OLD.id AS BLOB),
                    typeof(OLD.digest), CAST(OLD.digest AS BLOB), typeof(OLD.hash), CAST(OLD.hash AS BLOB),
                    typeof(OLD.session), CAST(OLD.session AS BLOB),
                    typeof(OLD.person), CAST(OLD.person AS BLOB),
                    typeof(OLD.phone), CAST(OLD.phone AS BLOB), typeof(OLD.org), CAST(OLD.org AS BLOB),
                    typeof(OLD.expires), CAST(OLD.expires AS BLOB),
                    typeof(OLD.tries), CAST(OLD.tries AS BLOB), typeof(OLD.used), CAST(OLD.used AS BLOB))
        BEGIN
            UPDATE links SET code =
                row_code('links', typeof(NEW.id), CAST(NEW.id AS BLOB),
                    typeof(NEW.digest), CAST(NEW.digest AS BLOB), typeof(NEW.hash), CAST(NEW.hash AS BLOB),
                    typeof(NEW.session), CAST(NEW.session AS BLOB),
                    typeof(NEW.person), CAST(NEW.person AS BLOB),
                    typeof(NEW.phone), CAST(NEW.phone AS BLOB), typeof(NEW.org), CAST(NEW.org AS BLOB),
                    typeof(NEW.expires), CAST(NEW.expires AS BLOB),
                    typeof(NEW.tries), CAST(NEW.tries AS BLOB), typeof(NEW.used), CAST(NEW.used AS BLOB))
            WHERE id = NEW.id;
        END;
        ALTER TABLE places ADD COLUMN code BLOB;
        CREATE TRIGGER places_made AFTER INSERT ON places BEGIN
            UPDATE places SET code =
                row_code('places', typeof(NEW.user), CAST(NEW.user AS BLOB),
                    typeof(NEW.digest), CAST(NEW.digest AS BLOB), typeof(NEW.used), CAST(NEW.used AS BLOB))
            WHERE user = NEW.user AND digest = NEW.digest;
        END;
        CREATE TRIGGER places_changed
        AFTER UPDATE OF user, digest, used ON places
        WHEN OLD.code IS
                row_code('places', typeof(OLD.user), CAST(OLD.user AS BLOB),
                    typeof(OLD.digest), CAST(OLD.digest AS BLOB), typeof(OLD.used), CAST(OLD.used AS BLOB))
        BEGIN
            UPDATE places SET code =
                row_code('places', typeof(NEW.user), CAST(NEW.user AS BLOB),
                    typeof(NEW.digest), CAST(NEW.digest AS BLOB), typeof(NEW.used), CAST(NEW.used AS BLOB))
            WHERE user = NEW.user AND digest = NEW.digest;
        END;
        ALTER TABLE push_subscriptions ADD COLUMN code BLOB;
        CREATE TRIGGER push_subscriptions_made AFTER INSERT ON push_subscriptions BEGIN
            UPDATE push_subscriptions SET code =
                row_code('push_subscriptions', typeof(NEW.device), CAST(NEW.device AS BLOB),
                    typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.endpoint), CAST(NEW.endpoint AS BLOB),
                    typeof(NEW.p256dh), CAST(NEW.p256dh AS BLOB), typeof(NEW.auth), CAST(NEW.auth AS BLOB),
                    typeof(NEW.created), CAST(NEW.created AS BLOB))
            WHERE device = NEW.device;
        END;
        CREATE TRIGGER push_subscriptions_changed
        AFTER UPDATE OF device, id, endpoint, p256dh, auth, created ON push_subscriptions
        WHEN OLD.code IS
                row_code('push_subscriptions', typeof(OLD.device), CAST(OLD.device AS BLOB),
                    typeof(OLD.id), CAST(OLD.id AS BLOB), typeof(OLD.endpoint), CAST(OLD.endpoint AS BLOB),
                    typeof(OLD.p256dh), CAST(OLD.p256dh AS BLOB), typeof(OLD.auth), CAST(OLD.auth AS BLOB),
                    typeof(OLD.created), CAST(OLD.created AS BLOB))
        BEGIN
            UPDATE push_subscriptions SET code =
                row_code('push_subscriptions', typeof(NEW.device), CAST(NEW.device AS BLOB),
                    typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.endpoint), CAST(NEW.endpoint AS BLOB),
                    typeof(NEW.p256dh), CAST(NEW.p256dh AS BLOB), typeof(NEW.auth), CAST(NEW.auth AS BLOB),
                    typeof(NEW.created), CAST(NEW.created AS BLOB))
            WHERE device = NEW.device;
        END;
        """

    /// Believes every row that is there when the step is taken.
    static let adoption = """
        UPDATE users SET code =
            row_code('users', typeof(id), CAST(id AS BLOB), typeof(login), CAST(login AS BLOB),
                typeof(org), CAST(org AS BLOB), typeof(role), CAST(role AS BLOB),
                typeof(password), CAST(password AS BLOB), typeof(temporary), CAST(temporary AS BLOB),
                typeof(disabled), CAST(disabled AS BLOB), typeof(created), CAST(created AS BLOB),
                typeof(password_at), CAST(password_at AS BLOB));
        UPDATE devices SET code =
            row_code('devices', typeof(id), CAST(id AS BLOB), typeof(person), CAST(person AS BLOB),
                typeof(phone), CAST(phone AS BLOB), typeof(org), CAST(org AS BLOB),
                typeof(role), CAST(role AS BLOB), typeof(created), CAST(created AS BLOB),
                typeof(revoked), CAST(revoked AS BLOB), typeof(since), CAST(since AS BLOB),
                typeof(admitted_by), CAST(admitted_by AS BLOB));
        UPDATE device_sessions SET code =
            row_code('device_sessions', typeof(device), CAST(device AS BLOB),
                typeof(session), CAST(session AS BLOB), typeof(through), CAST(through AS BLOB));
        UPDATE device_codes SET code =
            row_code('device_codes', typeof(id), CAST(id AS BLOB), typeof(phone), CAST(phone AS BLOB),
                typeof(person), CAST(person AS BLOB), typeof(org), CAST(org AS BLOB),
                typeof(role), CAST(role AS BLOB), typeof(hash), CAST(hash AS BLOB),
                typeof(expires), CAST(expires AS BLOB), typeof(tries), CAST(tries AS BLOB),
                typeof(used), CAST(used AS BLOB), typeof(session), CAST(session AS BLOB),
                typeof(giver), CAST(giver AS BLOB));
        UPDATE tokens SET code =
            row_code('tokens', typeof(id), CAST(id AS BLOB), typeof(hash), CAST(hash AS BLOB),
                typeof(user), CAST(user AS BLOB), typeof(device), CAST(device AS BLOB),
                typeof(scopes), CAST(scopes AS BLOB), typeof(created), CAST(created AS BLOB),
                typeof(expires), CAST(expires AS BLOB), typeof(idle), CAST(idle AS BLOB),
                typeof(used), CAST(used AS BLOB), typeof(revoked), CAST(revoked AS BLOB),
                typeof(outlived), CAST(outlived AS BLOB));
        UPDATE links SET code =
            row_code('links', typeof(id), CAST(id AS BLOB), typeof(digest), CAST(digest AS BLOB),
                typeof(hash), CAST(hash AS BLOB), typeof(session), CAST(session AS BLOB),
                typeof(person), CAST(person AS BLOB), typeof(phone), CAST(phone AS BLOB),
                typeof(org), CAST(org AS BLOB), typeof(expires), CAST(expires AS BLOB),
                typeof(tries), CAST(tries AS BLOB), typeof(used), CAST(used AS BLOB));
        UPDATE places SET code =
            row_code('places', typeof(user), CAST(user AS BLOB), typeof(digest), CAST(digest AS BLOB),
                typeof(used), CAST(used AS BLOB));
        UPDATE push_subscriptions SET code =
            row_code('push_subscriptions', typeof(device), CAST(device AS BLOB),
                typeof(id), CAST(id AS BLOB), typeof(endpoint), CAST(endpoint AS BLOB),
                typeof(p256dh), CAST(p256dh AS BLOB), typeof(auth), CAST(auth AS BLOB),
                typeof(created), CAST(created AS BLOB));
        """
}
